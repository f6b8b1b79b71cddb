import { useOutbox } from 'holdfast/outbox';
import { useController, useLoading } from 'holdfast/react';
import type { ReactElement } from 'react';
import { changeAccount } from '../data/account.ts';
import { leave, refresh } from '../data/session.ts';
import { useSession } from '../data/useSession.ts';
import { navigate, pathTo } from '../routing.tsx';
import { Problems } from '../ui/Failure.tsx';
import { Field } from '../ui/Field.tsx';

export function SettingsScreen(): ReactElement | null {
  const controller = useController();
  const session = useSession();
  const { pending, failed } = useOutbox();
  const unsent = pending.length + failed.length;
  const [save, isSaving, error] = useLoading(async (form: FormData) => {
    const fields = Object.fromEntries(form) as Record<string, string>; // none of them is a file
    const { password, ...others } = fields;
    refresh(await changeAccount({ ...others, ...(password && { password }) }));
    // Everything that shows this person is out of date.
    controller.expireAll({ testKey: () => true });
    navigate(pathTo('profile', others['username'] ?? ''));
  });
  if (session === null) return null;
  return (
    <section className="page narrow">
      <h1>Settings</h1>
      <form
        key={session.token}
        onSubmit={(event) => {
          event.preventDefault();
          void save(new FormData(event.currentTarget));
        }}
      >
        <Field label="Picture (address)" name="image" type="url" defaultValue={session.image ?? ''} />
        <Field label="Username" name="username" required defaultValue={session.username} />
        <label>
          About you
          <textarea name="bio" rows={4} defaultValue={session.bio ?? ''} />
        </label>
        <Field label="Email" name="email" type="email" required defaultValue={session.email} />
        <Field label="New password" name="password" type="password" autoComplete="new-password" />
        <Problems error={error} />
        <button type="submit" disabled={isSaving}>
          Save
        </button>
      </form>
      <hr />
      {unsent > 0 && (
        <p>{unsent} changes are not sent yet. They stay on this device until you sign in again.</p>
      )}
      <button
        className="is-dangerous"
        onClick={() => {
          leave();
          navigate('/');
        }}
      >
        Sign out
      </button>
    </section>
  );
}
