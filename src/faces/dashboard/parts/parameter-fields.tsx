import type { Endpoint } from '../../../../lib/endpoint.js';
import { describe, kindOf } from '../../../../lib/params/describe.js';
import { InlineCode } from '../../../output/html.js';
import { identifyingParams } from '../../../output/plain-argument.js';
import type { FormValues } from '../forms.js';
import { parameterPrefix } from '../playground.js';
import { CheckBox, SelectField, TextField } from './form.js';

interface ParameterProps {
  readonly endpoint: Endpoint;
  readonly name: string;
  readonly value: string | undefined;
}

function inputFor({ endpoint, name }: ParameterProps) {
  const schema = endpoint.params[name];
  if (schema === undefined) return {};
  const { type, minimum, maximum, maxLength, default: fallback } = kindOf(schema);
  const placeholder = fallback === undefined ? undefined : String(fallback);
  if (type === 'integer' || type === 'number') {
    return { type: 'number', min: minimum, max: maximum, step: type === 'integer' ? 1 : 'any', placeholder };
  }
  return { maxLength, placeholder, autoComplete: 'off', spellCheck: false };
}

function ParameterField(props: ParameterProps) {
  const { endpoint, name, value } = props;
  const schema = endpoint.params[name];
  if (schema === undefined) return null;
  const { type, enum: words } = kindOf(schema);
  const { text, expects, default: fallback } = describe(schema);
  const field = `${parameterPrefix}${name}`;
  if (type === 'boolean') {
    return (
      <div className="field">
        <CheckBox name={field} label={name} checked={value === 'true'} />
        <p className="hint">
          <InlineCode text={`${text}.`} />
        </p>
      </div>
    );
  }
  const other = endpoint.exactlyOne?.includes(name)
    ? ` Give this or ${endpoint.exactlyOne.find((one) => one !== name)}.`
    : '';
  if (words !== undefined) {
    const usual = { value: '', label: fallback === undefined ? 'any' : `${fallback} (usual)` };
    const options = [usual, ...words.map((word) => ({ value: word, label: word }))];
    return (
      <SelectField
        name={field}
        label={name}
        hint={<InlineCode text={`${text}.${other}`} />}
        value={value}
        options={options}
      />
    );
  }
  const range = type === 'string' ? '' : ` From ${expects.replace(/^.* from /, '')}.`;
  return (
    <TextField
      name={field}
      label={name}
      hint={<InlineCode text={`${text}.${range}${other}`} />}
      value={value}
      input={inputFor(props)}
    />
  );
}

/** A field for each parameter of an endpoint: identifying ones first, the rest collapsed. */
export function ParameterFields({ endpoint, values }: { endpoint: Endpoint; values: FormValues }) {
  const first = identifyingParams(endpoint);
  const rest = Object.keys(endpoint.params).filter((name) => name !== 'demo' && !first.includes(name));
  const fields = (names: readonly string[]) => (
    <div className="fields">
      {names.map((name) => (
        <ParameterField key={name} endpoint={endpoint} name={name} value={values[name]} />
      ))}
    </div>
  );
  return (
    <>
      {fields(first)}
      <details className="more" open={rest.some((name) => values[name] !== undefined)}>
        <summary>More parameters</summary>
        {fields(rest)}
      </details>
    </>
  );
}
