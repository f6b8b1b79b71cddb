import { createResource, Entity, NetworkError } from 'holdfast';
import { useController, useSuspense } from 'holdfast/react';
import { useForm } from 'react-hook-form';

class Task extends Entity {
  id = '';
  text = '';
  static override key = 'Task';
}
export const TaskResource = createResource({
  urlPrefix: 'https://api.example.com',
  path: '/tasks/:id',
  schema: Task,
  optimistic: true,
});

export function TaskForm({ id }: { readonly id: string }) {
  const controller = useController();
  const { text } = useSuspense(TaskResource.get, { id });
  // `values` would follow the store and lose the text at a rollback.
  const form = useForm({ defaultValues: { text } });
  const { errors, isSubmitting } = form.formState;

  const save = form.handleSubmit(async (typed) => {
    try {
      await controller.fetch(TaskResource.partialUpdate, { id }, typed);
      form.reset(typed); // once the server has accepted it
    } catch (error) {
      if (!(error instanceof NetworkError)) throw error;
      const { message } = Object(error.body) as { message?: string };
      form.setError('text', { message: message ?? 'Not saved. Try again.' });
    }
  });

  return (
    <form onSubmit={(event) => void save(event)}>
      <input aria-label="Task" {...form.register('text')} />
      {errors.text && <p role="alert">{errors.text.message}</p>}
      <button disabled={isSubmitting}>Save</button>
    </form>
  );
}
