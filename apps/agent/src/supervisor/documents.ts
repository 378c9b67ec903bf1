import type { WorkflowDocument } from '@weft/workflow/document'
import type { AgentApi } from '../connection/api.ts'
import { hashDocument, readDocument } from './verify.ts'

const KEPT = 50

/** Workflow documents by their hash: many jobs share one, so it is fetched once and checked against its name. */
export class Documents {
  readonly #api: AgentApi
  readonly #byHash = new Map<string, Promise<WorkflowDocument>>()

  constructor(api: AgentApi) {
    this.#api = api
  }

  async get(hash: string): Promise<WorkflowDocument> {
    const known = this.#byHash.get(hash)
    if (known) return known
    const fetching = this.#fetch(hash)
    this.#byHash.set(hash, fetching)
    fetching.catch(() => this.#byHash.delete(hash))
    const [oldest] = this.#byHash.keys()
    if (this.#byHash.size > KEPT && oldest !== undefined) this.#byHash.delete(oldest)
    return fetching
  }

  async #fetch(hash: string): Promise<WorkflowDocument> {
    const { document } = await this.#api.workflow({ hash })
    if (hashDocument(document) !== hash) throw new Error('The workflow is not the one that the job names.')
    return readDocument(document)
  }
}
