export { TwoStepsPage as default } from '../../app/auth/two-steps/two-steps-page.tsx'
