import { byFeature } from '../merge.ts'
import catalogue from '@weft/workflow/catalogue/i18n/ar.json'
import kit from '../../../kit/i18n/ar.json'

const features = import.meta.glob<object>('../../../features/*/i18n/ar.json', {
  eager: true,
  import: 'default',
})

export default { kit, catalogue, ...byFeature(features) }
