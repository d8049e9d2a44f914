/** A sentence of the table of endpoints: what stands in backticks is code. */
export function Prose({ text }: { text: string }) {
  return (
    <>
      {text.split('`').map((part, index) => {
        // biome-ignore lint/suspicious/noArrayIndexKey: drawn once
        return index % 2 === 1 ? <code key={index}>{part}</code> : part;
      })}
    </>
  );
}
