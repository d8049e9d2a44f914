import { stepFields } from '../../src/lines/step-fields.js';
import { docstring, moduleText } from './source.js';

/** Returns the options that the table of steps adds to jobs and schedules. */
export function stepsModule(): string {
  const fields = stepFields.map(({ name, isSwitch, schema }) => {
    const about = docstring([schema().description ?? ''], 1);
    return `    ${name}: ${isSwitch ? 'bool' : 'str | None'}\n${about}`;
  });
  const about = docstring(['Options that process the results of a job.'], 1);
  const options = `class StepOptions(TypedDict, total=False):\n${about}\n\n${fields.join('\n')}`;
  return moduleText('Options from the table of steps.', ['from typing import TypedDict'], [options]);
}
