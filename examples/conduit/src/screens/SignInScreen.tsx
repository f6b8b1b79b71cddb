import { useLoading } from 'holdfast/react';
import type { ReactElement } from 'react';
import { signIn, signUp } from '../data/account.ts';
import { enter } from '../data/session.ts';
import { Link, navigate } from '../routing.tsx';
import { Problems } from '../ui/Failure.tsx';
import { Field } from '../ui/Field.tsx';

export function SignInScreen({ isNew }: { readonly isNew: boolean }): ReactElement {
  const [submit, isSending, error] = useLoading(async (form: FormData) => {
    const read = (name: string): string => form.get(name) as string; // none of them is a file
    const account = { email: read('email'), password: read('password') };
    enter(await (isNew ? signUp({ ...account, username: read('username') }) : signIn(account)));
    navigate('/');
  });
  return (
    <section className="page narrow">
      <h1>{isNew ? 'Sign up' : 'Sign in'}</h1>
      <p>
        {isNew ? (
          <Link to="/login">You have an account?</Link>
        ) : (
          <Link to="/register">You need an account?</Link>
        )}
      </p>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void submit(new FormData(event.currentTarget));
        }}
      >
        {isNew && <Field label="Username" name="username" autoComplete="username" required />}
        <Field label="Email" name="email" type="email" autoComplete="email" required />
        <Field
          label="Password"
          name="password"
          type="password"
          autoComplete={isNew ? 'new-password' : 'current-password'}
          required
        />
        <Problems error={error} />
        <button type="submit" disabled={isSending}>
          {isNew ? 'Sign up' : 'Sign in'}
        </button>
      </form>
    </section>
  );
}
