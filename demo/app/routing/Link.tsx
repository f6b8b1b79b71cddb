import type { ComponentProps, MouseEvent } from 'react';
import { navigate } from './navigation.ts';

/** A link within the app: a plain click stays on the page, any other does what the browser does with links. */
export function Link({ href, onClick, ...props }: ComponentProps<'a'> & { href: string }) {
  function follow(event: MouseEvent<HTMLAnchorElement>) {
    onClick?.(event);
    const plain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
    if (event.defaultPrevented || !plain) return;
    event.preventDefault();
    navigate(href);
  }
  return <a href={href} onClick={follow} {...props} />;
}
