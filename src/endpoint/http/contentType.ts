/** The media type of a response in lower case, without its parameters; empty if it has none. */
export function mediaType(response: Response): string {
  // Repeated headers arrive as one, separated by commas.
  return contentType(response).split(/[;,]/, 1)[0]?.trim().toLowerCase() ?? '';
}

/** Mocks of `fetch` in the tests of apps return a part of a response, often only `ok` and `json`. */
function contentType(response: Response): string {
  const { headers } = response as Partial<Response>;
  return headers?.get('content-type') ?? ('text' in response ? '' : 'application/json');
}

/** The text of a body in the charset of its content type, which `text()` ignores (Fetch, "Body mixin"). */
export async function readText(response: Response): Promise<string> {
  const charset = /;\s*charset="?([^";,\s]+)/i.exec(contentType(response))?.[1];
  let decoder: TextDecoder | undefined;
  try {
    if (charset !== undefined && !/^utf-?8$/i.test(charset)) decoder = new TextDecoder(charset);
  } catch {
    // There is no such charset.
  }
  if (decoder !== undefined) return decoder.decode(await response.arrayBuffer());
  return 'text' in response ? response.text() : JSON.stringify(await (response as Response).json());
}

/** Whether a media type is JSON: `application/json`, `text/json`, `application/problem+json`, … */
export function isJsonType(type: string): boolean {
  return /[/+](?:x-)?json$/.test(type);
}

/** Whether a body of this media type is text, also if it is misspelled. SVG is text too, but is requested as an image. */
export function isTextType(type: string): boolean {
  return (
    isJsonType(type) ||
    (!type.startsWith('image/') &&
      /^text\b|[/+](?:text|xml|yaml|toml|sql|(?:ld|nd|x-nd)json|json[lp]|json-seq|(?:java|ecma)script|graphql|x-www-form-urlencoded)$/.test(
        type,
      ))
  );
}

/** Whether a media type is that of a web page. */
export function isHtmlType(type: string): boolean {
  return type === 'text/html' || type === 'application/xhtml+xml';
}

/**
 * Whether a body is a web page rather than a response of an API. The media type alone is not sufficient: Express and
 * PHP send any text as `text/html`.
 */
export function isHtml(type: string, text: string): boolean {
  return isHtmlType(type) ? /<[a-z!/]/i.test(text) : /^\s*<(?:!doctype html|html)\b/i.test(text);
}
