import js from "@eslint/js";
import globals from "globals";

export default [
  { ignores: ["**/node_modules/", ".venv/", "site/", "playground/built/", "puzzlekit/serve/", "tests/render/", "**/*.min.js"] },
  js.configs.recommended,
  {
    languageOptions: { ecmaVersion: 2024, sourceType: "module", globals: globals.browser },
    rules: {
      complexity: ["error", 16],
      eqeqeq: "error",
      "no-multi-str": "error",
      "no-shadow": "error",
      "no-unused-vars": ["error", { argsIgnorePattern: "^_" }],
      "no-var": "error",
      "prefer-const": "error",
    },
  },
  { files: ["tests/**/*.js", "tools/*.js", "playground/*.js"], languageOptions: { globals: globals.node } },
];
