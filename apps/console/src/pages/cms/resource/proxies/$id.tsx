export { ProxyForm as default } from '../../../../features/proxies/form.tsx'
