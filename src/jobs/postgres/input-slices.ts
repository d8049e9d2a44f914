/** Inputs, and characters of inputs, that a node works on as one task, at most. */
const [maxInputs, maxCharacters] = [100, 1024 * 1024];

/** A stretch of the inputs of a job or schedule, stored and worked on together. */
export interface InputSlice {
  /** Index of the first. */
  readonly first: number;
  /** Each as JSON text. */
  readonly inputs: readonly string[];
}

/** The inputs in slices, in order. */
export function inputSlices(inputs: readonly string[]): readonly InputSlice[] {
  const slices: InputSlice[] = [];
  for (let first = 0; first < inputs.length; ) {
    let end = first;
    for (let size = 0; end < inputs.length && end - first < maxInputs && size < maxCharacters; end += 1) {
      size += (inputs[end] as string).length;
    }
    slices.push({ first, inputs: inputs.slice(first, end) });
    first = end;
  }
  return slices;
}
