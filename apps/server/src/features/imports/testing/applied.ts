import type { accounts } from '@weft/contract/accounts/api'
import type { ClientOf } from '@weft/contract/core/client'
import { imports } from '@weft/contract/imports/api'
import type { Import } from '@weft/contract/imports/schema'
import type { TestPerson } from '../../../testing/people.ts'
import { endedImport } from './ended.ts'

type Uploads = Pick<ClientOf<typeof accounts>, 'import'>

/** A table that was uploaded and whose good rows were taken, changing what is there already. */
export async function applied(person: TestPerson, api: Uploads, lines: readonly string[]): Promise<Import> {
  const { import: made } = await api.import({}, { body: `${lines.join('\n')}\n` })
  await person.api(imports).apply({ id: made.id, take: 'good', duplicates: 'update' })
  return endedImport(person, made.id)
}
