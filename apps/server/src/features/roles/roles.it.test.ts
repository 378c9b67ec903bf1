import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { access } from '@weft/contract/access/api'
import { accounts } from '@weft/contract/accounts/api'
import { BUILT_IN_ROLES, type Rule } from '@weft/contract/core/permissions'
import { projects } from '@weft/contract/projects/api'
import { proxies } from '@weft/contract/proxies/api'
import { functions, roles } from '@weft/contract/roles/api'
import { system } from '@weft/contract/system/api'
import { users } from '@weft/contract/users/api'
import { refusal } from '../../testing/browser.ts'
import type { TestPerson } from '../../testing/people.ts'
import { startTestServer, type TestServer } from '../../testing/server.ts'

const OWN = { ownerId: '${user.id}' }
let server: TestServer
let admin: TestPerson
let clock = Date.now()

beforeAll(async () => {
  server = await startTestServer({ now: () => new Date(clock) })
  admin = await server.as('administrator')
})
afterAll(() => server.stop())

const code = async (work: Promise<unknown>) => (await refusal(work)).code
const roleId = async (key: string) =>
  (await admin.api(roles).list({ perPage: 100 })).data.find((one) => one.key === key)?.id ?? ''
async function give(person: TestPerson, keys: string[]): Promise<void> {
  const { version } = await admin.api(users).get({ id: person.id })
  await admin.api(users).update({ id: person.id, version, roles: keys })
}

describe('a role', () => {
  it('is made, given, changed with effect on the next call, and goes to the trash with somebody in its place', async () => {
    const api = admin.api(roles)
    const made = await api.create({
      name: 'Prüfer & Co',
      rules: [{ action: 'VIEW', subject: 'PROJECT' }],
    })
    expect(made).toMatchObject({
      key: 'prufer-co',
      people: 0,
      builtIn: false,
      can: ['update', 'delete', 'requireTwoSteps'],
    })
    expect((await api.create({ name: 'Prüfer & Co', rules: [] })).key).toBe('prufer-co-2')
    const ann = await server.as('viewer', 'ann')
    await give(ann, ['prufer-co'])
    expect(await code(ann.api(projects).create({ name: 'x' }))).toBe('access.denied')
    const rules: Rule[] = [{ action: ['VIEW', 'CREATE'], subject: 'PROJECT', conditions: OWN }]
    const changed = await api.update({ id: made.id, version: 1, rules })
    expect([changed.version, changed.people, changed.rules]).toEqual([2, 1, rules])
    await ann.api(projects).create({ name: 'x' })
    expect(await code(api.update({ id: made.id, version: 1, name: 'Old' }))).toBe('record.stale')
    const used = await refusal(api.remove({ id: made.id }))
    expect([used.code, used.body.params]).toEqual(['role.in_use', { count: 1 }])
    expect(await code(api.remove({ id: made.id, replacement: 'nonesuch' }))).toBe('link.not_found')
    expect(await code(api.remove({ id: made.id, replacement: 'prufer-co' }))).toBe('link.not_found')
    expect(await api.remove({ id: made.id, replacement: 'viewer' })).toEqual({ replaced: 1 })
    expect((await admin.api(users).get({ id: ann.id })).roles).toEqual(['viewer'])
    expect(await code(ann.api(projects).create({ name: 'y' }))).toBe('access.denied')
    expect((await api.restore({ id: made.id })).people).toBe(0)
    expect((await api.history({ id: made.id })).data.map(({ label }) => label)).toEqual([
      'role.restore',
      'role.delete',
      'role.update',
      'role.create',
    ])
  })

  it('that is built in can be read and copied, and may ask for a second step, and no more', async () => {
    const api = admin.api(roles)
    const id = await roleId('operator')
    const operator = await api.get({ id })
    expect(operator.rules).toEqual(BUILT_IN_ROLES.operator)
    expect(operator).toMatchObject({ builtIn: true, can: ['requireTwoSteps'] })
    expect(operator.cannot).toMatchObject({ update: 'role.built_in', delete: 'role.built_in' })
    const { version } = operator
    expect(await code(api.update({ id, version, rules: [] }))).toBe('role.built_in')
    expect(await code(api.update({ id, version, name: 'Mine' }))).toBe('role.built_in')
    expect(await code(api.remove({ id }))).toBe('role.built_in')
    expect((await api.update({ id, version, requiresTwoSteps: true })).requiresTwoSteps).toBe(true)
    await api.update({ id, version: version + 1, requiresTwoSteps: false })
    await api.create({ name: 'Copy of operator', rules: operator.rules })
  })

  it('takes only conditions and fields that its functions have', async () => {
    const wrong = async (rule: Rule) =>
      (await refusal(admin.api(roles).create({ name: 'wrong', rules: [rule] }))).body.errors?.map(
        ({ path, code: field }) => `${path} ${field}`,
      )
    const unknown = 'role.unknown_field'
    expect(await wrong({ action: 'VIEW', subject: 'ACCOUNT', conditions: { nonesuch: 1 } })).toEqual([
      `rules.0.conditions.nonesuch ${unknown}`,
    ])
    expect(await wrong({ action: 'VIEW', subject: 'USER', conditions: { passwordHash: 'x' } })).toEqual([
      `rules.0.conditions.passwordHash ${unknown}`,
    ])
    expect(await wrong({ action: 'UPDATE', subject: 'ACCOUNT', fields: ['nonesuch'] })).toEqual([
      `rules.0.fields ${unknown}`,
    ])
    expect(
      await wrong({ action: 'VIEW', subject: 'ACCOUNT', conditions: { ownerId: '${user.secret}' } }),
    ).toEqual([`rules.0.conditions.ownerId ${unknown}`])
    await admin.api(roles).create({
      name: 'right',
      rules: [
        {
          action: 'UPDATE',
          subject: 'ACCOUNT',
          fields: ['notes'],
          conditions: { status: { $in: ['ready'] } },
        },
      ],
    })
  })

  it('is changed only by who showed lately who they are', async () => {
    clock += 6 * 60_000
    expect(await code(admin.api(roles).create({ name: 'late', rules: [] }))).toBe('auth.confirm_required')
    expect(await code(admin.api(functions).update({ subject: 'PROXY', enabled: false }))).toBe(
      'auth.confirm_required',
    )
    clock -= 6 * 60_000
  })
})

describe('rights over roles', () => {
  it('end at one’s own: nobody puts into a role, or takes out of one, what they lack', async () => {
    const lead = await server.withRules('lead', [
      { action: ['VIEW', 'CREATE', 'UPDATE', 'DELETE'], subject: 'ROLE' },
      { action: 'VIEW', subject: ['PROJECT', 'USER'] },
    ])
    const api = lead.api(roles)
    const { id } = await api.create({ name: 'narrow', rules: [{ action: 'VIEW', subject: 'PROJECT' }] })
    const beyond = await refusal(
      api.update({
        id,
        version: 1,
        rules: [
          { action: 'VIEW', subject: 'PROJECT' },
          { action: 'VIEW', subject: 'ACCOUNT' },
        ],
      }),
    )
    expect([beyond.code, beyond.body.errors?.[0]?.path]).toEqual(['role.rule_beyond_own', 'rules.1'])
    const wide = await admin.api(roles).create({
      name: 'wide',
      rules: [{ action: 'VIEW', subject: 'ACCOUNT' }],
    })
    expect((await api.get({ id: wide.id })).cannot).toMatchObject({ update: 'role.beyond_own' })
    expect(await code(api.update({ id: wide.id, version: 1, rules: [] }))).toBe('role.beyond_own')
    expect(await code(api.remove({ id: wide.id }))).toBe('role.beyond_own')
    expect(
      await code(api.update({ id: await roleId('administrator'), version: 1, requiresTwoSteps: true })),
    ).toBe('role.beyond_own')
  })

  it('over one’s own roles alone do not reach those of others', async () => {
    const own = await server.withRules('own', [
      { action: ['VIEW', 'CREATE', 'UPDATE', 'DELETE'], subject: 'ROLE', conditions: OWN },
    ])
    const { id } = await admin.api(roles).create({ name: 'of admin', rules: [] })
    expect((await own.api(roles).list({})).totalRecord).toBe(0)
    expect(await code(own.api(roles).get({ id }))).toBe('record.not_found')
    expect(await code(own.api(roles).preview({ id, rules: [] }))).toBe('record.not_found')
    expect(await code((await server.as('viewer', 'plain')).api(roles).list({}))).toBe('access.denied')
  })
})

describe('a preview', () => {
  it('says who gains and loses what, sub-users too, and changes nothing', async () => {
    const { id } = await admin.api(roles).create({
      name: 'team',
      rules: [
        { action: ['VIEW', 'CREATE'], subject: 'PROJECT', conditions: OWN },
        { action: 'VIEW', subject: 'PROXY' },
        { action: ['VIEW', 'CREATE'], subject: 'USER', conditions: OWN },
      ],
    })
    const [tom, uma] = [await server.as('viewer', 'tom'), await server.as('viewer', 'uma')]
    await give(tom, ['team'])
    await give(uma, ['team', 'viewer'])
    const below = (await tom.api(users).create({ username: 'toms', roles: ['team'] })).user
    const rules: Rule[] = [
      { action: 'VIEW', subject: 'PROJECT' },
      { action: ['VIEW', 'CREATE'], subject: 'USER', conditions: OWN },
      { action: 'VIEW', subject: 'ACCOUNT' },
    ]
    const seen = await admin.api(roles).preview({ id, rules })
    expect(seen.concerned).toBe(3)
    const right = (subject: string, action: string) => ({ subject, action })
    expect(seen.people.find((one) => one.id === tom.id)).toMatchObject({
      gains: [right('PROJECT', 'VIEW'), right('ACCOUNT', 'VIEW')],
      losses: [right('PROJECT', 'CREATE'), right('PROXY', 'VIEW')],
    })
    // The viewer role gives uma to see all of these anyway.
    expect(seen.people.find((one) => one.id === uma.id)).toMatchObject({
      gains: [],
      losses: [right('PROJECT', 'CREATE')],
    })
    expect(seen.people.find((one) => one.id === below.id)?.losses).toHaveLength(2)
    expect(seen.totals.find(({ subject, action }) => subject === 'PROJECT' && action === 'CREATE')).toEqual({
      ...right('PROJECT', 'CREATE'),
      gains: 0,
      losses: 3,
    })
    await tom.api(projects).create({ name: 'still' })
    expect((await admin.api(roles).preview({ id, replacement: 'operator' })).concerned).toBe(3)
    const lead = await server.withRules('blind', [{ action: 'VIEW', subject: 'ROLE' }])
    const blind = await lead.api(roles).preview({ id, rules })
    expect([blind.people, blind.concerned]).toEqual([[], 3])
  })
})

describe('an explanation', () => {
  it('names the rule of the role that decided, or says that none allows', async () => {
    const ola = await server.as('operator', 'ola')
    const vic = await server.as('viewer', 'vic')
    const mine = await ola.api(accounts).create({ type: 'website', username: 'mine' })
    const api = admin.api(roles)
    const ask = (person: TestPerson, action: 'VIEW' | 'UPDATE', record?: string) =>
      api.explain({ userId: person.id, action, subject: 'ACCOUNT', ...(record ? { record } : {}) })
    expect(await ask(ola, 'UPDATE')).toMatchObject({
      allowed: true,
      partly: true,
      reason: 'rule',
      decidedBy: { role: 'operator', rule: { conditions: OWN } },
    })
    expect(await ask(ola, 'UPDATE', mine.id)).toMatchObject({ allowed: true, partly: false })
    const foreign = await admin.api(accounts).create({ type: 'website', username: 'foreign' })
    expect(await ask(ola, 'UPDATE', foreign.id)).toMatchObject({ allowed: false, reason: 'not_this_record' })
    expect(await ask(vic, 'VIEW', foreign.id)).toMatchObject({ allowed: true, partly: false })
    expect(await ask(vic, 'UPDATE')).toMatchObject({ allowed: false, reason: 'no_rule', decidedBy: null })
    await admin.api(roles).create({
      name: 'not these',
      rules: [{ action: 'VIEW', subject: 'ACCOUNT', inverted: true, conditions: { type: 'website' } }],
    })
    // Roles apply in the order of their keys.
    await give(vic, ['administrator', 'not-these'])
    expect(await ask(vic, 'VIEW', foreign.id)).toMatchObject({
      allowed: false,
      reason: 'forbidden',
      decidedBy: { role: 'not-these' },
    })
    await admin.api(users).suspend({ id: ola.id })
    expect(await ask(ola, 'VIEW')).toMatchObject({ allowed: false, reason: 'suspended' })
    expect(await code(ask(vic, 'VIEW', crypto.randomUUID()))).toBe('link.not_found')
    expect(await code(api.explain({ userId: crypto.randomUUID(), action: 'VIEW', subject: 'ACCOUNT' }))).toBe(
      'record.not_found',
    )
  })

  it('says so when somebody above, or a function that is off, stands in the way', async () => {
    const chief = await server.withRules('chief', [
      { action: ['VIEW', 'CREATE'], subject: 'USER', conditions: OWN },
      { action: 'VIEW', subject: 'PROXY' },
    ])
    const { user } = await chief.api(users).create({ username: 'below', roles: ['chief'] })
    await admin.api(users).update({ id: user.id, version: 1, roles: ['viewer'] })
    const ask = (subject: 'ACCOUNT' | 'PROXY') =>
      admin.api(roles).explain({ userId: user.id, action: 'VIEW', subject })
    expect(await ask('ACCOUNT')).toMatchObject({ allowed: false, reason: 'above', above: 'chief' })
    expect(await ask('PROXY')).toMatchObject({ allowed: true })
  })
})

describe('functions', () => {
  it('are the subjects of the contract, with what the calls ask of them', async () => {
    const catalogue = await admin.api(functions).list({})
    const account = catalogue.find(({ subject }) => subject === 'ACCOUNT')
    expect(account).toMatchObject({ group: 'resources', risk: 'high', enabled: true, fixed: false })
    expect(account?.actions).toEqual([
      'VIEW',
      'CREATE',
      'UPDATE',
      'DELETE',
      'RUN',
      'EXPORT',
      'IMPORT',
      'REVEAL',
    ])
    expect(account?.calls).toBeGreaterThan(10)
    expect(account?.conditions.map(({ name }) => name)).toEqual(expect.arrayContaining(['ownerId', 'status']))
    const compared = catalogue.map(({ conditions }) => conditions)
    expect(JSON.stringify(compared)).not.toMatch(/"(?:password\w*|totpSeed|search|usernameKey)"/i)
    expect(account?.fields).toEqual(expect.arrayContaining(['notes', 'username']))
    const called = server.app.endpoints.filter(({ access: who }) => typeof who === 'object').length
    expect(catalogue.reduce((sum, { calls }) => sum + calls, 0)).toBe(called)
  })

  it('that are off are refused to all but administrators, and gone from rights and menu', async () => {
    const ron = await server.as('operator', 'ron')
    await ron.api(proxies).list({})
    const menu = async (who: TestPerson) => JSON.stringify((await who.api(system).config({})).routes)
    expect(await menu(ron)).toContain('/cms/resource/accounts')
    await admin.api(functions).update({ subject: 'PROXY', enabled: false })
    await admin.api(functions).update({ subject: 'ACCOUNT', enabled: false })
    expect(await code(ron.api(proxies).list({}))).toBe('access.denied')
    expect(JSON.stringify((await ron.api(access).info({})).abilities)).not.toMatch(/"PROXY"|"ACCOUNT"/)
    expect(await menu(ron)).not.toContain('/cms/resource/accounts')
    expect(await menu(admin)).toContain('/cms/resource/accounts')
    await admin.api(proxies).list({})
    expect(
      await admin.api(roles).explain({ userId: ron.id, action: 'VIEW', subject: 'PROXY' }),
    ).toMatchObject({ allowed: false, reason: 'function_off' })
    await admin.api(functions).update({ subject: 'PROXY', enabled: true })
    await admin.api(functions).update({ subject: 'ACCOUNT', enabled: true })
    await ron.api(proxies).list({})
    expect(await code(admin.api(functions).update({ subject: 'AUTH', enabled: false }))).toBe(
      'function.fixed',
    )
    expect(await code(ron.api(functions).update({ subject: 'PROXY', enabled: false }))).toBe('access.denied')
  })
})
