// What few pages need stands in bundles of its own, before the script of the page: classes by name.

const NAME = "puzzlekitExtras";

/** The extras that the page has. */
export const extrasOf = (scope) => scope[NAME] ?? {};

/** Add extras to the page. */
export function addExtras(scope, extras) {
  scope[NAME] = { ...extrasOf(scope), ...extras };
}
