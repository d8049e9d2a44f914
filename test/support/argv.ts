/** Splits a command line into arguments. A value is an argument, a part of one, or several consecutive ones. */
export function argv(
  texts: TemplateStringsArray,
  ...values: readonly (string | number | readonly string[])[]
): string[] {
  const args: string[] = [];
  let continues = false;
  const add = (part: string) => {
    args.push(continues ? `${args.pop()}${part}` : part);
    continues = true;
  };
  for (const [at, text] of texts.entries()) {
    for (const [index, word] of text.split(/\s+/).entries()) {
      if (index > 0) continues = false;
      if (word !== '') add(word);
    }
    const value = values[at];
    if (typeof value === 'object') args.push(...value);
    else if (value !== undefined) add(String(value));
  }
  return args;
}
