// SHA-256 of FIPS 180-4: crypto.subtle is not there for a page that is a file in every browser.

const K = [],
  H0 = [];
for (let n = 2; K.length < 64; n++) {
  let prime = true;
  for (let d = 2; d * d <= n; d++)
    if (n % d === 0) {
      prime = false;
      break;
    }
  if (!prime) continue;
  if (H0.length < 8) H0.push(((Math.sqrt(n) % 1) * 2 ** 32) | 0);
  K.push(((Math.cbrt(n) % 1) * 2 ** 32) | 0);
}

export function sha256(text) {
  const bytes = [...new TextEncoder().encode(text)],
    bits = bytes.length * 8;
  bytes.push(0x80);
  while (bytes.length % 64 !== 56) bytes.push(0);
  for (let k = 7; k >= 0; k--) bytes.push(k > 3 ? 0 : (bits >>> (8 * k)) & 255);
  const h = [...H0],
    w = new Array(64),
    turn = (x, n) => (x >>> n) | (x << (32 - n));
  for (let block = 0; block < bytes.length; block += 64) {
    for (let i = 0; i < 64; i++) {
      if (i < 16) {
        const b = block + 4 * i;
        w[i] = (bytes[b] << 24) | (bytes[b + 1] << 16) | (bytes[b + 2] << 8) | bytes[b + 3];
      } else {
        const p = w[i - 15],
          q = w[i - 2];
        w[i] =
          (w[i - 16] +
            (turn(p, 7) ^ turn(p, 18) ^ (p >>> 3)) +
            w[i - 7] +
            (turn(q, 17) ^ turn(q, 19) ^ (q >>> 10))) |
          0;
      }
    }
    let [a, b, c, d, e, f, g, z] = h;
    for (let i = 0; i < 64; i++) {
      const one =
        (z + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g)) + K[i] + w[i]) | 0;
      const two = ((turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      [z, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0];
    }
    [a, b, c, d, e, f, g, z].forEach((part, i) => {
      h[i] = (h[i] + part) | 0;
    });
  }
  return h.map((part) => (part >>> 0).toString(16).padStart(8, "0")).join("");
}
