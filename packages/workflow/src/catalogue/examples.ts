import type { JsonObject } from '../json.ts'
import type { ActivityType } from './catalogue.ts'

const button = (name: string): JsonObject => ({ by: 'role', role: 'button', name })
const label = (text: string): JsonObject => ({ by: 'label', text })

/** A step of each type as an author might have filled it in: for its help page, and to be copied from there. */
export const EXAMPLES: Readonly<Record<ActivityType, JsonObject>> = {
  'open-page': { url: 'https://example.org/orders' },
  click: { targets: [button('Save'), { by: 'css', selector: 'form button[type=submit]' }] },
  fill: { targets: [label('Title')], value: '{{ item.video.title }}' },
  select: { targets: [label('Country')], by: 'label', value: 'France' },
  'press-key': { key: 'Enter', targets: [label('Search')] },
  'upload-file': { targets: [label('Choose a file')], file: '{{ item.video.file }}' },
  'wait-for': { for: 'element', targets: [{ by: 'text', text: 'Saved' }], elementState: 'visible' },
  'open-tab': { url: 'https://example.org/help', name: 'help' },
  'switch-tab': { by: 'name', value: 'help' },
  screenshot: { name: 'after-saving', fullPage: true },
  extract: {
    what: 'list',
    targets: [{ by: 'css', selector: 'table.orders tbody tr' }],
    columns: [
      { name: 'number', selector: 'td:nth-child(1)' },
      { name: 'link', selector: 'td a', attribute: 'href' },
    ],
  },
  assert: { subject: 'url', operator: 'contains', expected: '/orders/' },
  download: { from: 'click', targets: [button('Export')], name: 'orders.csv' },
  'http-request': {
    method: 'POST',
    url: 'https://api.example.org/orders',
    bodyType: 'json',
    bodyJson: '{ title: inputs.title }',
  },
  'set-variable': { name: 'total', value: '{{ vars.total + 1 }}' },
  transform: { expression: 'steps.read.value.map((row) => row.number)' },
  'sign-in': {
    url: 'https://example.org/sign-in',
    usernameTargets: [label('E-mail')],
    passwordTargets: [label('Password')],
    submitTargets: [button('Sign in')],
    signedInTargets: [{ by: 'role', role: 'link', name: 'My account' }],
  },
  'save-session': {},
  condition: { condition: 'steps.read.count > 0' },
  switch: { value: '{{ inputs.language }}', cases: [{ key: 'k1', equals: 'fr', name: 'French' }] },
  'for-each': { items: 'steps.read.value', maxTimes: 500 },
  'repeat-until': { condition: 'steps.status.value === "done"', maxTimes: 20, delaySeconds: 5 },
  parallel: {
    branches: [
      { key: 'k1', name: 'Left' },
      { key: 'k2', name: 'Right' },
    ],
  },
  'try-catch': {},
  'call-workflow': {
    workflowId: '00000000-0000-7000-8000-000000000001',
    inputs: [{ name: 'title', value: '{{ item.video.title }}' }],
  },
  'custom-activity': {
    activityId: '00000000-0000-7000-8000-000000000001',
    version: 1,
    inputs: [{ name: 'title', value: '{{ item.video.title }}' }],
  },
  delay: { seconds: 30 },
  'ask-person': {
    title: 'May order {{ vars.number }} be sent?',
    fields: [
      { name: 'send', label: 'Send it', kind: 'boolean' },
      { name: 'note', label: 'Note', kind: 'text', required: false },
    ],
    waitSeconds: 86400,
  },
  finish: { result: 'success', outputs: [{ name: 'orders', value: '{{ steps.read.count }}' }] },
  log: { message: 'Read {{ steps.read.count }} orders', level: 'info' },
  notify: { title: 'Orders are read', severity: 'success' },
}
