import { expect, test } from 'vitest'
import { BUS_EVENTS, answerPings, tellLogout, tellSocketState } from './bus.ts'
import { SOCKET_STATES } from './realtime/machine.ts'

test('a ping is answered with app-mounted until nobody is there any more', () => {
  const page = new EventTarget()
  let mounted = 0
  page.addEventListener('app-mounted', () => {
    mounted += 1
  })
  const leave = answerPings(page)
  page.dispatchEvent(new Event('ping'))
  leave()
  page.dispatchEvent(new Event('ping'))
  expect(mounted).toBe(1)
})

test('the states of the socket are told by name and number', () => {
  const page = new EventTarget()
  const told: unknown[] = []
  page.addEventListener('onSocketStateChanged', (event) => {
    told.push(event instanceof CustomEvent ? event.detail : null)
  })
  for (const state of SOCKET_STATES) tellSocketState(page, { state, number: SOCKET_STATES.indexOf(state) })
  expect(told).toEqual(
    ['normal', 'open', 'negotiate', 'reconnecting', 'error', 'disconnect', 'close'].map((state, number) => ({
      state,
      number,
    })),
  )
})

test('a sign-out is told', () => {
  const page = new EventTarget()
  let told = 0
  page.addEventListener(BUS_EVENTS.logout, () => {
    told += 1
  })
  tellLogout(page)
  expect(told).toBe(1)
})
