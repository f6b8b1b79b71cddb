import { describe, expect, it } from '@jest/globals';
import { isWebKit } from '../../plugins/shared/isWebKit.ts';
import { inBrowser, WEBKIT } from '../support/userAgent.ts';

const MAC = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)';
const PHONE = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X)';

describe.each([
  ['WebKitGTK', WEBKIT, true],
  ['Safari', `${MAC} AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Safari/605.1.15`, true],
  ['a web view on iOS', `${PHONE} AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148`, true],
  ['Chrome on iOS', `${PHONE} AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/150.0 Mobile/15E148`, true],
  ['Chrome', `${MAC} AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0.0.0 Safari/537.36`, false],
  ['Firefox', 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:150.0) Gecko/20100101 Firefox/150.0', false],
  ['jsdom', 'Mozilla/5.0 (linux) AppleWebKit/537.36 (KHTML, like Gecko) jsdom/27.4.0', false],
  ['happy-dom', 'Mozilla/5.0 (X11; Linux x64) AppleWebKit/537.36 (KHTML, like Gecko) HappyDOM/20.14', false],
  ['Node', 'Node.js/24', false],
])('isWebKit', (name, userAgent, expected) => {
  inBrowser(userAgent);
  it(`isWebKit is ${expected} in ${name}`, () => {
    expect(isWebKit()).toBe(expected);
  });
});
