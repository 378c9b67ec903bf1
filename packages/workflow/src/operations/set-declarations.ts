import type { WorkflowDocument, WorkflowInput, WorkflowSettings, WorkflowVariable } from '../document.ts'

/** Replaces the inputs. */
export interface SetInputs {
  kind: 'setInputs'
  inputs: WorkflowInput[]
}
/** Replaces the variables. */
export interface SetVariables {
  kind: 'setVariables'
  variables: WorkflowVariable[]
}
/** Changes some of the settings. */
export interface SetSettings {
  kind: 'setSettings'
  settings: Partial<WorkflowSettings>
}

/** Replaces the inputs. */
export function setInputs(document: WorkflowDocument, { inputs }: SetInputs): WorkflowDocument {
  return { ...document, inputs }
}

/** Replaces the variables. */
export function setVariables(document: WorkflowDocument, { variables }: SetVariables): WorkflowDocument {
  return { ...document, variables }
}

/** Changes some of the settings. */
export function setSettings(document: WorkflowDocument, { settings }: SetSettings): WorkflowDocument {
  return { ...document, settings: { ...document.settings, ...settings } }
}
