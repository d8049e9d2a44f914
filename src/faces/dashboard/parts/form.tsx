import type { ReactNode } from 'react';
import type { Frame } from '../context.js';

/** A form that is sent by POST, with the token without which none is taken. */
export function PostForm({
  frame,
  children,
  ...attributes
}: Omit<React.ComponentProps<'form'>, 'method'> & { readonly frame: Frame }) {
  return (
    <form className="stack" {...attributes} method="post">
      <input type="hidden" name="_csrf" value={frame.token} />
      {children}
    </form>
  );
}

interface FieldProps {
  readonly name: string;
  readonly label: string;
  readonly hint?: ReactNode;
  /** The fault of the value that was sent. */
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
    // The first of them takes the focus: a long form would open at its top, with nothing wrong in sight.
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

/** A line to type into. */
export function TextField(
  props: FieldProps & { readonly value?: string | undefined; readonly input?: InputAttributes },
) {
  return (
    <LabelledField {...props}>
      <input type="text" defaultValue={props.value ?? ''} {...props.input} {...controlAttributes(props)} />
    </LabelledField>
  );
}

/** A file to choose. */
export function FileField(props: FieldProps & { readonly input?: InputAttributes }) {
  return (
    <LabelledField {...props}>
      <input type="file" {...props.input} {...controlAttributes(props)} />
    </LabelledField>
  );
}

/** Several lines to type into. */
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

/** A choice of the list's values. */
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

/** One thing to tick. */
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

/** A form of one button: an action from a page, taken by POST. */
export function ActionButton({
  frame,
  action,
  kind = 'button',
  children,
}: {
  readonly frame: Frame;
  readonly action: string;
  readonly kind?: 'button' | 'danger' | 'quiet';
  readonly children: ReactNode;
}) {
  return (
    <PostForm frame={frame} className="one-button" action={action}>
      <button className={kind} type="submit">
        {children}
      </button>
    </PostForm>
  );
}
