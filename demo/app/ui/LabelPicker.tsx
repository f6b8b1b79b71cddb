import { useId } from 'react';
import type { Label } from '../model/Label.ts';
import { Icon } from './Icon.tsx';
import { LabelChip } from './LabelChip.tsx';

/** The chosen labels, and a popover with a checkbox for each. */
export function LabelPicker({
  labels,
  chosen,
  onChange,
}: {
  labels: readonly Label[];
  chosen: readonly string[];
  onChange: (ids: string[]) => void;
}) {
  const id = useId();
  return (
    <div className="label-picker">
      {labels
        .filter((label) => chosen.includes(label.id))
        .map((label) => (
          <LabelChip key={label.id} label={label} />
        ))}
      <button type="button" className="chip chip-button" popoverTarget={id}>
        <Icon name="plus" />
        {chosen.length > 0 ? 'Change' : 'Add label'}
      </button>
      <div id={id} popover="auto" className="popover" role="group" aria-label="Labels">
        {labels.map((label) => (
          <label key={label.id} className="popover-option">
            <input
              type="checkbox"
              checked={chosen.includes(label.id)}
              onChange={(event) => {
                const { checked } = event.target;
                onChange(checked ? [...chosen, label.id] : chosen.filter((each) => each !== label.id));
              }}
            />
            <LabelChip label={label} />
          </label>
        ))}
      </div>
    </div>
  );
}
