import { createTheme, type CSSVariablesResolver, type MantineColorsTuple } from '@mantine/core'

/** Ten steps around #0db976, which is the sixth. Text uses a darker step in light and a lighter one in dark. */
const weft: MantineColorsTuple = [
  '#e6f9f1',
  '#ccf2e2',
  '#9ae5c5',
  '#5fdcab',
  '#35cb8f',
  '#0db976',
  '#0a8353',
  '#08714a',
  '#065a3b',
  '#04412b',
]

/** Ten steps around #675DD8. */
const violet: MantineColorsTuple = [
  '#efedfd',
  '#dedafa',
  '#c8c2f6',
  '#b3acf5',
  '#8b82e5',
  '#675dd8',
  '#5d53cc',
  '#554ac0',
  '#443b9c',
  '#342d78',
]

/** Ten steps of the red of danger; its filled step carries white text in both themes. */
const red: MantineColorsTuple = [
  '#fdeaea',
  '#fbd3d5',
  '#f8b4b8',
  '#ff979b',
  '#e5545c',
  '#cf333c',
  '#c42b35',
  '#b0222c',
  '#8f1a23',
  '#6e131b',
]

/** Greys of the dark theme, from text to the page; each surface is lighter than the one below it. */
const dark: MantineColorsTuple = [
  '#e8ebf0',
  '#c3cad4',
  '#a0a9b6',
  '#6f7987',
  '#343b46',
  '#232831',
  '#191d24',
  '#12151a',
  '#0e1115',
  '#0b0d11',
]

const gray: MantineColorsTuple = [
  '#f6f7f9',
  '#eff1f4',
  '#e3e6ea',
  '#d0d5dc',
  '#b4bcc7',
  '#8a94a3',
  '#58616e',
  '#434b56',
  '#2b313a',
  '#15181d',
]

/** The product's look in Mantine's words. */
export const theme = createTheme({
  colors: { weft, violet, red, dark, gray },
  primaryColor: 'weft',
  primaryShade: { light: 6, dark: 5 },
  autoContrast: true,
  luminanceThreshold: 0.3,
  black: '#15181d',
  fontFamily: "'Inter Variable', 'Noto Sans Arabic Variable', system-ui, sans-serif",
  fontFamilyMonospace: 'var(--font-mono)',
  fontSizes: { xs: '12px', sm: '13px', md: '14px', lg: '16px', xl: '20px' },
  lineHeights: { xs: '1.4', sm: '1.5', md: '1.5', lg: '1.5', xl: '1.4' },
  spacing: { xs: '8px', sm: '12px', md: '16px', lg: '24px', xl: '32px' },
  radius: { xs: '4px', sm: '6px', md: '8px', lg: '12px', xl: '16px' },
  defaultRadius: 'md',
  breakpoints: { xs: '0em', sm: '37.5em', md: '60em', lg: '79em', xl: '119em' },
  headings: {
    fontWeight: '600',
    sizes: {
      h1: { fontSize: '20px', lineHeight: '1.4' },
      h2: { fontSize: '16px', lineHeight: '1.5' },
      h3: { fontSize: '14px', lineHeight: '1.5' },
    },
  },
  cursorType: 'pointer',
  respectReducedMotion: true,
  focusRing: 'auto',
  components: {
    Button: { defaultProps: { size: 'sm' } },
    SegmentedControl: { defaultProps: { withItemsBorders: false } },
    Checkbox: { defaultProps: { radius: 'xs' } },
    ActionIcon: { defaultProps: { variant: 'subtle', color: 'gray', size: 32 } },
    Tooltip: { defaultProps: { openDelay: 350, withArrow: false, fz: 'xs', multiline: true, maw: 320 } },
    Menu: {
      defaultProps: {
        shadow: 'md',
        position: 'bottom-end',
        offset: 6,
        transitionProps: { duration: 120 },
        withInitialFocusPlaceholder: false,
      },
    },
    Popover: { defaultProps: { shadow: 'md', offset: 6, transitionProps: { duration: 120 } } },
    Modal: {
      defaultProps: {
        centered: true,
        radius: 'lg',
        overlayProps: { backgroundOpacity: 0.5 },
        transitionProps: { duration: 140 },
      },
    },
    // The head of a dialog is no banner of the page.
    ModalHeader: { defaultProps: { role: 'none' } },
    DrawerHeader: { defaultProps: { role: 'none' } },
    Drawer: {
      defaultProps: { overlayProps: { backgroundOpacity: 0.4 }, transitionProps: { duration: 180 } },
    },
    Table: { defaultProps: { verticalSpacing: 8, horizontalSpacing: 12 } },
    Select: { defaultProps: { checkIconPosition: 'right', allowDeselect: false, maxDropdownHeight: 300 } },
  },
})

/** Mantine's own variables, set to our tokens so that both speak the same surfaces. */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: { '--mantine-shadow-md': 'var(--shadow)' },
  light: {
    '--mantine-color-body': '#f6f7f9',
    '--mantine-color-text': '#15181d',
    '--mantine-color-dimmed': '#58616e',
    '--mantine-color-placeholder': '#646d79',
    '--mantine-color-anchor': 'var(--primary-text)',
    '--mantine-color-default': '#ffffff',
    '--mantine-color-default-hover': '#f3f5f7',
    '--mantine-color-default-color': '#15181d',
    '--mantine-color-default-border': '#d0d5dc',
    '--mantine-color-error': '#b0222c',
  },
  dark: {
    '--mantine-color-body': '#0b0d11',
    '--mantine-color-text': '#e8ebf0',
    '--mantine-color-dimmed': '#a0a9b6',
    '--mantine-color-placeholder': '#8891a0',
    '--mantine-color-anchor': 'var(--primary-text)',
    '--mantine-color-default': '#191d24',
    '--mantine-color-default-hover': '#232831',
    '--mantine-color-default-color': '#e8ebf0',
    '--mantine-color-default-border': '#343b46',
    '--mantine-color-error': '#ff979b',
    // On dark, what is pointed at grows lighter; its text is dark.
    '--mantine-color-weft-filled-hover': '#2fcd8e',
    '--mantine-color-violet-filled-hover': '#776de0',
    '--mantine-primary-color-filled-hover':
      'color-mix(in srgb, var(--mantine-primary-color-filled), white 14%)',
  },
})
