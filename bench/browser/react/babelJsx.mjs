import { createElement } from 'react';

/** Stands in for a helper that Data Client was compiled with, which makes elements as React 18 had them. */
export default function jsx(type, props, key, ...children) {
  return createElement(type, key === undefined ? props : { ...props, key }, ...children);
}
