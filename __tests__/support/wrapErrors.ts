import { NetworkError, type Plugin } from 'holdfast';

/** Throws an error of the app in place of each error that has a response, as an app does to show the server's message. */
export const wrapErrors: Plugin = {
  name: 'wrap-errors',
  async request(request, next) {
    try {
      return await next(request);
    } catch (error) {
      if (!(error instanceof NetworkError) || error.response === undefined) throw error;
      const { response } = error;
      throw Object.assign(new Error('Not saved', { cause: error }), { status: response.status, response });
    }
  },
};
