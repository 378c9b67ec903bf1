import { byFeature } from '../merge.ts'
import catalogue from '@weft/workflow/catalogue/i18n/en.json'
import kit from '../../../kit/i18n/en.json'

const features = import.meta.glob<object>('../../../features/*/i18n/en.json', {
  eager: true,
  import: 'default',
})

export default { kit, catalogue, ...byFeature(features) }
