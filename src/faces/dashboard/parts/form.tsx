import { createContext, type ReactNode, useContext } from 'react';
import type { FormState } from '../forms.js';
import { useFrame } from '../frame.js';

const FormContext = createContext<FormState>({});

/** A POST form, with the token that every form needs. Its fields find their values and problems by their names. */
export function PostForm({
  values = {},
  problems = {},
  children,
  ...attributes
}: Omit<React.ComponentProps<'form'>, 'method'> & FormState) {
  return (
    <form className="stack" {...attributes} method="post">
      <input type="hidden" name="_csrf" value={useFrame().token} />
      <FormContext value={{ values, problems }}>{children}</FormContext>
    </form>
  );
}

interface FieldProps {
  readonly name: string;
  readonly label: string;
  readonly hint?: ReactNode;
  /** Replaces the form's value of this name. */
  readonly value?: string | undefined;
}

/** Attributes that tie a control to its label, hint and problem. */
function useControl({ name, hint, value }: FieldProps) {
  const { values, problems } = useContext(FormContext);
  const problem = problems?.[name];
  const describedBy = [...(hint ? [`${name}-hint`] : []), ...(problem ? [`${name}-problem`] : [])];
  return {
    id: name,
    name,
    defaultValue: value ?? values?.[name] ?? '',
    'aria-describedby': describedBy.length > 0 ? describedBy.join(' ') : undefined,
    'aria-invalid': problem ? true : undefined,
    // Focuses the first faulty field; a long form would otherwise open at the top, with no fault in sight.
    autoFocus: problem ? true : undefined,
  };
}

function LabelledField({ name, label, hint, children }: FieldProps & { readonly children: ReactNode }) {
  const problem = useContext(FormContext).problems?.[name];
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

export function TextField(props: FieldProps & { readonly input?: InputAttributes }) {
  return (
    <LabelledField {...props}>
      <input type="text" {...props.input} {...useControl(props)} />
    </LabelledField>
  );
}

export function FileField(props: FieldProps & { readonly input?: InputAttributes }) {
  return (
    <LabelledField {...props}>
      <input type="file" {...props.input} {...useControl(props)} defaultValue={undefined} />
    </LabelledField>
  );
}

export function TextArea(props: FieldProps & { readonly rows: number }) {
  return (
    <LabelledField {...props}>
      <textarea rows={props.rows} spellCheck={false} {...useControl(props)} />
    </LabelledField>
  );
}

export interface Option {
  readonly value: string;
  readonly label: string;
}

export function SelectField(
  props: FieldProps & {
    readonly options: readonly (string | Option)[];
  },
) {
  return (
    <LabelledField {...props}>
      <select {...useControl(props)}>
        {props.options
          .map((option) => (typeof option === 'string' ? { value: option, label: option } : option))
          .map(({ value, label }) => (
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

interface GetFormProps {
  /** Path of the page that shows the result. */
  readonly action: string;
  /** Label of the button. */
  readonly button: string;
  readonly children: ReactNode;
}

/** One field and a button that looks its value up. */
export function SearchForm({ action, button, children }: GetFormProps) {
  return (
    <form className="row follow" method="get" action={action}>
      {children}
      <QuietSubmit>{button}</QuietSubmit>
    </form>
  );
}

/** The filters of a list, and a link to the complete list. */
export function FilterForm({ action, button, all, children }: GetFormProps & { readonly all: string }) {
  return (
    <form className="stack" method="get" action={action}>
      <div className="filters">{children}</div>
      <div className="row">
        <button type="submit">{button}</button>
        <a href={action}>{all}</a>
      </div>
    </form>
  );
}

/** A link that looks like a button next to a more important one. */
export function QuietLink({
  href,
  children,
}: {
  readonly href: string | undefined;
  readonly children: ReactNode;
}) {
  return (
    <a className="button quiet" href={href}>
      {children}
    </a>
  );
}

/** The button of a form that is not the page's main action. */
export function QuietSubmit({ children }: { readonly children: ReactNode }) {
  return (
    <button className="quiet" type="submit">
      {children}
    </button>
  );
}
