import app from '../../../app/i18n/fr.json'
import errors from '../errors/fr.json'

export default { app, errors }
