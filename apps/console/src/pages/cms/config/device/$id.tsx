export { DeviceForm as default } from '../../../../features/devices/form.tsx'
