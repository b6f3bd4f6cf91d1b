// Arrays as the page holds them: base64 of floats, or of 16 bits between the smallest and the largest value.
import type { Packed } from "./types";

export function bytes(text: string): Uint8Array {
  const raw = atob(text);
  const out = new Uint8Array(raw.length);
  for (let i = 0; i < raw.length; ++i) out[i] = raw.charCodeAt(i);
  return out;
}

export function floats(text: string): Float32Array {
  return new Float32Array(bytes(text).buffer);
}

export function unpack(packed: Packed): Float32Array {
  const whole = new Uint16Array(bytes(packed.data).buffer);
  const out = new Float32Array(whole.length);
  const step = (packed.high - packed.low) / 65534;
  for (let i = 0; i < whole.length; ++i) {
    const q = whole[i] ?? 65535;
    out[i] = q === 65535 ? NaN : packed.low + q * step;
  }
  return out;
}
