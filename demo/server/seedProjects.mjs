/**
 * What each project's issues talk about. Things are singular noun phrases and actions complete
 * "let people …", so that the sentence patterns in seedText.mjs read like a person wrote them.
 */
export const projects = [
  {
    id: 'HAR',
    name: 'Harbor',
    description: 'The web app: boards, editor, sharing',
    color: '#2f6fdb',
    lead: 'mira-lindqvist',
    issues: 1080,
    labels: ['accessibility', 'design', 'performance', 'i18n', 'customer', 'offline'],
    things: [
      'The board view', 'The rich text editor', 'The share dialog', 'Drag and drop', 'The command menu',
      'The activity feed', 'The file picker', 'The mention popup', 'The table view', 'Inline comments',
      'The onboarding tour', 'The calendar', 'The breadcrumb', 'The sidebar', 'The print view', 'Undo',
    ].map(singular),
    actions: [
      'pin a board to the sidebar', 'paste an image straight into a comment', 'share a view with a guest',
      'move several cards at once', 'reorder columns by keyboard', 'copy a card as Markdown',
      'see who is looking at a board', 'set a default view for each board', 'collapse finished columns',
      'restore a deleted card within thirty days', 'open a card in a side panel',
    ],
  },
  {
    id: 'TID',
    name: 'Tidewater',
    description: 'The iOS and Android apps',
    color: '#0f8f86',
    lead: 'henry-ashworth',
    issues: 820,
    labels: ['ios', 'android', 'mobile', 'offline', 'accessibility', 'performance'],
    things: [
      'The inbox', 'The photo uploader', 'Background sync', 'Face unlock', 'The home screen widget',
      'The share extension', 'Pull to refresh', 'The voice note recorder', 'The tab bar', 'The barcode scanner',
      'Split view', 'The map preview', 'Handoff', 'The offline queue', 'The settings screen',
    ].map(singular),
    actions: [
      'snooze a thread by swiping', 'upload photos on Wi-Fi only', 'read threads without a connection',
      'sign a document with a finger', 'choose the text size for each screen', 'reply from the lock screen',
      'switch accounts with a long press', 'scan several documents in a row', 'use the app in landscape',
    ],
  },
  {
    id: 'KEL',
    name: 'Keel',
    description: 'The public API, auth and permissions',
    color: '#b7681b',
    lead: 'tomas-aguirre',
    issues: 760,
    labels: ['api', 'security', 'docs', 'infrastructure', 'customer', 'tech debt'],
    things: [
      'The token endpoint', 'The permission check', 'Cursor pagination', 'The rate limiter', 'The webhook dispatcher',
      'The audit log', 'Single sign-on', 'The bulk import', 'The export job', 'The OpenAPI document',
      'The migration runner', 'The session store', 'The idempotency layer', 'The admin console',
    ].map(singular),
    actions: [
      'rotate a key without downtime', 'limit a token to one project', 'replay a failed webhook',
      'filter the audit log by actor', 'export a workspace as one archive', 'see how much of a limit is left',
      'provision people from a directory', 'ask for several records in one call', 'test a webhook from the console',
    ],
  },
  {
    id: 'BEA',
    name: 'Beacon',
    description: 'Notifications, e-mail and digests',
    color: '#c2477d',
    lead: 'arjun-desai',
    issues: 540,
    labels: ['customer', 'i18n', 'mobile', 'api', 'performance', 'design'],
    things: [
      'The daily digest', 'The unsubscribe link', 'The push gateway', 'The quiet hours setting', 'The e-mail template',
      'The notification bell', 'The Slack bridge', 'The mention alert', 'The delivery log', 'The weekly summary',
      'The bounce handler', 'The reminder',
    ].map(singular),
    actions: [
      'mute one thread for a week', 'get one message for ten events', 'choose the hour of the digest',
      'follow a label', 'hand notifications over during a holiday', 'see why they got a message',
      'answer a digest by e-mail', 'get alerts only for urgent issues',
    ],
  },
  {
    id: 'LAN',
    name: 'Lantern',
    description: 'Search, reports and dashboards',
    color: '#7653c9',
    lead: 'duncan-reid',
    issues: 480,
    labels: ['performance', 'infrastructure', 'api', 'i18n', 'customer', 'tech debt'],
    things: [
      'The search index', 'The query parser', 'The saved filter', 'The burndown chart', 'The dashboard tile',
      'The CSV export', 'Autocomplete', 'The ranking model', 'The date range picker', 'The cohort report',
      'The synonym list', 'The snapshot job',
    ].map(singular),
    actions: [
      'search inside attachments', 'share a saved filter with a team', 'compare two periods in one chart',
      'send a report every Monday', 'exclude a label from a search', 'drill down from a chart to its issues',
      'search without accents', 'pin a result for everybody',
    ],
  },
  {
    id: 'BAL',
    name: 'Ballast',
    description: 'Billing, plans and seats',
    color: '#4c7a34',
    lead: 'wei-jun-tan',
    issues: 340,
    labels: ['billing', 'customer', 'security', 'i18n', 'api', 'docs'],
    things: [
      'The invoice page', 'The seat counter', 'The tax calculation', 'The card form', 'The trial banner',
      'The upgrade flow', 'The refund job', 'The credit note', 'The usage meter', 'The plan comparison',
    ].map(singular),
    actions: [
      'pay by bank transfer', 'download a year of invoices at once', 'add a purchase order number',
      'move seats between workspaces', 'pause a plan', 'see the price before inviting people',
      'send invoices to another address', 'change the currency at renewal',
    ],
  },
];

/**
 * @param {string} phrase as it starts a sentence
 * @returns {{ start: string, inside: string }} the phrase at the start of a sentence and within one
 */
function singular(phrase) {
  const inside = phrase.startsWith('The ') ? `the ${phrase.slice(4)}` : keepsCapital(phrase) ? phrase : phrase[0]?.toLowerCase() + phrase.slice(1);
  return { start: phrase, inside };
}

/** @param {string} phrase */
function keepsCapital(phrase) {
  return phrase === 'Handoff' || phrase === 'Face unlock';
}
