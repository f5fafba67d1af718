// Reads archives of files as `tar` writes them (POSIX.1-1988, ustar).

const BLOCK = 512; // bytes; a header is one block, and a content fills its last one
const text = new TextDecoder();

/** Gives the path and the content of each file in an archive. */
export function* filesOf(archive) {
  let start = 0;
  while (start < archive.length && archive[start]) {
    const field = (offset, length) =>
      text.decode(archive.subarray(start + offset, start + offset + length)).replace(/\0.*$/s, "");
    const folder = field(345, 155);
    const size = parseInt(field(124, 12), 8);
    const begin = start + BLOCK;
    const path = folder ? `${folder}/${field(0, 100)}` : field(0, 100);
    yield [path, archive.subarray(begin, begin + size)];
    start = begin + BLOCK * Math.ceil(size / BLOCK);
  }
}
