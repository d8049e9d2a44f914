import type { ReactNode } from 'react';
import { useFrame } from '../frame.js';

/** A POST form, with the token that every form needs. */
export function PostForm({ children, ...attributes }: Omit<React.ComponentProps<'form'>, 'method'>) {
  return (
    <form className="stack" {...attributes} method="post">
      <input type="hidden" name="_csrf" value={useFrame().token} />
      {children}
    </form>
  );
}

interface FieldProps {
  readonly name: string;
  readonly label: string;
  readonly hint?: ReactNode;
  /** The problem with the submitted value. */
  readonly problem?: string | undefined;
}

/** Attributes that tie a control to its label, hint and problem. */
function controlAttributes({ name, hint, problem }: FieldProps) {
  const describedBy = [...(hint ? [`${name}-hint`] : []), ...(problem ? [`${name}-problem`] : [])];
  return {
    id: name,
    name,
    'aria-describedby': describedBy.length > 0 ? describedBy.join(' ') : undefined,
    'aria-invalid': problem ? true : undefined,
    // Focuses the first faulty field; a long form would otherwise open at the top, with no fault in sight.
    autoFocus: problem ? true : undefined,
  };
}

function LabelledField(props: FieldProps & { readonly children: ReactNode }) {
  const { name, label, hint, problem, children } = props;
  return (
    <div className="field">
      <label htmlFor={name}>{label}</label>
      {children}
      {hint ? (
        <p className="hint" id={`${name}-hint`}>
          {hint}
        </p>
      ) : null}
      {problem ? (
        <p className="problem" id={`${name}-problem`}>
          {problem}
        </p>
      ) : null}
    </div>
  );
}

type InputAttributes = Omit<React.ComponentProps<'input'>, 'name' | 'id' | 'value'>;

export function TextField(
  props: FieldProps & { readonly value?: string | undefined; readonly input?: InputAttributes },
) {
  return (
    <LabelledField {...props}>
      <input type="text" defaultValue={props.value ?? ''} {...props.input} {...controlAttributes(props)} />
    </LabelledField>
  );
}

export function FileField(props: FieldProps & { readonly input?: InputAttributes }) {
  return (
    <LabelledField {...props}>
      <input type="file" {...props.input} {...controlAttributes(props)} />
    </LabelledField>
  );
}

export function TextArea(
  props: FieldProps & { readonly value?: string | undefined; readonly rows?: number },
) {
  return (
    <LabelledField {...props}>
      <textarea
        rows={props.rows ?? 8}
        spellCheck={false}
        defaultValue={props.value ?? ''}
        {...controlAttributes(props)}
      />
    </LabelledField>
  );
}

export function SelectField(
  props: FieldProps & {
    readonly value?: string | undefined;
    readonly options: readonly { readonly value: string; readonly label: string }[];
  },
) {
  return (
    <LabelledField {...props}>
      <select defaultValue={props.value ?? ''} {...controlAttributes(props)}>
        {props.options.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
    </LabelledField>
  );
}

export function CheckBox({
  name,
  label,
  value = 'true',
  checked = false,
}: {
  readonly name: string;
  readonly label: ReactNode;
  readonly value?: string;
  readonly checked?: boolean;
}) {
  return (
    <label className="check">
      <input type="checkbox" name={name} value={value} defaultChecked={checked} />
      <span>{label}</span>
    </label>
  );
}

/** A form of one button, for an action by POST. */
export function ActionButton({
  action,
  kind = 'button',
  children,
}: {
  readonly action: string;
  readonly kind?: 'button' | 'danger' | 'quiet';
  readonly children: ReactNode;
}) {
  return (
    <PostForm className="one-button" action={action}>
      <button className={kind} type="submit">
        {children}
      </button>
    </PostForm>
  );
}
