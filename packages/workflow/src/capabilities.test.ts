import { expect, test } from 'vitest'
import { capabilitiesOf, mergeCapabilities } from './capabilities.ts'
import { sketch } from './testing/builder.ts'

const url = (id: string, address: string, type = 'open-page') => ({ id, type, state: { url: address } })

test('says what a workflow does and needs', () => {
  const workflowId = '0190aaaa-0000-7000-8000-000000000001'
  const found = capabilitiesOf(
    sketch([
      url('a', 'https://Board.example:8443/list?x={{ inputs.x }}'),
      url('b', 'http://[::1]/'),
      url('c', 'https://api.example', 'http-request'),
      url('d', '{{ inputs.base }}/in'),
      { ...url('off', 'https://ignored.example'), disabled: true },
      { id: 'w', type: 'wait-for', state: { for: 'url', url: 'https://only-compared.example/' } },
      { id: 's', type: 'sign-in', state: {} },
      {
        id: 'f',
        type: 'fill',
        state: { targets: [{ by: 'label', text: 'Q' }], value: '{{ item.phone.phoneNumber }}' },
      },
      { id: 'u', type: 'upload-file', state: { file: '{{ item.video.file }}' } },
      { id: 'l', type: 'log', state: { message: '{{ secrets.KEY }}' } },
      { id: 'k', type: 'call-workflow', state: { workflowId } },
      { id: 'p', type: 'click', state: { sideEffect: 'irreversible' } },
    ]),
  )
  expect(found).toEqual({
    domains: ['[::1]', 'api.example', 'board.example'],
    openDomains: true,
    activityTypes: [
      'call-workflow',
      'click',
      'fill',
      'http-request',
      'log',
      'open-page',
      'sign-in',
      'upload-file',
      'wait-for',
    ],
    sideEffect: 'irreversible',
    irreversibleSteps: ['p'],
    needsBrowser: true,
    resources: ['account', 'phone', 'video'],
    secrets: ['KEY'],
    calls: [workflowId],
  })
})

test('a host that is partly worked out is open', () => {
  for (const address of ['https://{{ inputs.x }}.example/', 'https://a{{ inputs.x }}', 'ftp://x/', 'x']) {
    expect(capabilitiesOf(sketch([url('a', address)]))).toMatchObject({ domains: [], openDomains: true })
  }
})

test('a workflow without pages needs no browser', () => {
  const pure = sketch([
    { id: 'a', type: 'assert', state: { condition: 'true' } },
    { id: 'b', type: 'finish', state: {} },
  ])
  const found = capabilitiesOf(pure)
  expect(found.needsBrowser).toBe(false)
  const merged = mergeCapabilities([found, capabilitiesOf(sketch([url('o', 'https://x.example/')]))])
  expect(merged).toMatchObject({ domains: ['x.example'], needsBrowser: true, sideEffect: 'read' })
})
