export { DeviceCopy as default } from '../../../../../features/devices/form.tsx'
