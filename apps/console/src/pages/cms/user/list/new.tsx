export { InviteForm as default } from '../../../../features/users/invite.tsx'
