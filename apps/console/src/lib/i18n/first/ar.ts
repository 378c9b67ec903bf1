import app from '../../../app/i18n/ar.json'
import errors from '../errors/ar.json'

export default { app, errors }
