import { CATALOGUE, definitionOf } from './catalogue.ts'
import { categories } from './activity.ts'
import type { FieldDescriptor } from './field.ts'

const groups = ['main', 'options', 'advanced']

/** A state with which an activity shows all its kinds of outcomes. */
const showsAllOutcomes = {
  cases: [{ key: 'a', equals: 'a' }],
  branches: [{ key: 'a' }],
}

/** Every i18n key that the catalogue uses; the texts of each language are exactly these. */
export function catalogueTextKeys(): string[] {
  const keys = new Set<string>()
  for (const category of categories) keys.add(`activities.common.categories.${category}`)
  for (const group of groups) keys.add(`activities.common.groups.${group}`)
  const addField = (field: FieldDescriptor) => {
    keys.add(field.labelKey)
    if (field.helpKey !== undefined) keys.add(field.helpKey)
    field.options?.forEach(({ labelKey }) => keys.add(labelKey))
    // The key of a keyed row is made by the form and never shown.
    field.items?.filter(({ name }) => !(field.keyed && name === 'key')).forEach(addField)
  }
  for (const type of Object.keys(CATALOGUE)) {
    const definition = definitionOf(type)
    if (!definition) continue
    keys.add(definition.titleKey)
    keys.add(definition.descriptionKey)
    definition.fields.forEach(addField)
    definition.outcomes(showsAllOutcomes).forEach(({ labelKey }) => keys.add(labelKey))
    definition.outputs.forEach(({ name }) => keys.add(`activities.${type}.outputs.${name}`))
  }
  return [...keys]
}
