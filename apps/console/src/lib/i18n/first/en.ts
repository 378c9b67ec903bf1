import app from '../../../app/i18n/en.json'
import errors from '../errors/en.json'

export default { app, errors }
