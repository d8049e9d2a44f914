/** A number as it is written in English. */
export const grouped = (amount: number) => amount.toLocaleString('en-US');

/** An amount of credits. */
export function Credits({ amount }: { amount: number }) {
  return (
    <span className="credits">
      <b>{grouped(amount)}</b> {amount === 1 ? 'credit' : 'credits'}
    </span>
  );
}
