const units = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB'];

/** `12.3 GiB` */
export function sizeText(bytes: number): string {
  const step = bytes === 0 ? 0 : Math.min(units.length - 1, Math.floor(Math.log2(bytes) / 10));
  const size = bytes / 1024 ** step;
  return `${step === 0 || size >= 100 ? Math.round(size) : size.toFixed(1)} ${units[step]}`;
}
