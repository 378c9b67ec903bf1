import { Button, Drawer, Group, Select, Stack, Switch, TextInput } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { ROUTE_ICONS, type MenuTree } from '@weft/contract/routes/schema'
import { LANGUAGES } from '../../../lib/i18n/languages.ts'
import { text, useLanguage } from '../../../lib/i18n/texts.ts'
import { Ltr } from '../../../kit/values/values.tsx'
import { rightText } from '../../../kit/rights/right-text.ts'
import { dress, remove, rowOf, type Dress } from '../model/tree.ts'
import { useT } from '../text.ts'
import { nameOf, type Look, type Pages } from './context.ts'
import classes from './editor.module.css'

/** Words, icon and sight of one entry; what is typed shows in the tree and the preview at once. */
export function EntryDrawer(props: {
  tree: MenuTree
  entryKey: string | null
  pages: Pages
  look: Look
  onChange: (tree: MenuTree) => void
  close: () => void
}) {
  const t = useT()
  const { tree, entryKey, pages, look, onChange, close } = props
  const language = useLanguage()
  const row = entryKey === null ? undefined : rowOf(tree, entryKey)
  const entry = row?.entry
  const page = entry?.kind === 'page' ? pages.get(entry.path) : undefined
  const change = (dressing: Dress) => {
    if (row) onChange(dress(tree, row.key, dressing))
  }
  return (
    <Drawer
      opened={entry !== undefined}
      onClose={close}
      position="right"
      size={460}
      title={entry && nameOf(entry, pages, look)}
      closeButtonProps={{ 'aria-label': text('kit:common.close') }}
    >
      {row && entry && (
        <Stack gap={16}>
          {page && (
            <p className={classes.facts}>
              <Ltr>{page.path}</Ltr>
              {page.right && <span>{t('right', { right: rightText(page.right) })}</span>}
            </p>
          )}
          {LANGUAGES.map(({ code, name }) => (
            <TextInput
              key={code}
              label={t('titleIn', { language: name })}
              lang={code}
              dir={code === 'ar' ? 'rtl' : 'ltr'}
              maxLength={60}
              placeholder={page && code === language.code ? (look.titleText(page.title) ?? '') : ''}
              value={entry.titles?.[code] ?? ''}
              onChange={(event) => {
                const typed = event.currentTarget.value
                change({ titles: { ...entry.titles, [code]: typed === '' ? undefined : typed } })
              }}
            />
          ))}
          {entry.kind === 'link' && (
            <TextInput
              label={t('url')}
              dir="ltr"
              placeholder="https://"
              value={entry.url}
              onChange={(event) => change({ url: event.currentTarget.value })}
            />
          )}
          <Select
            label={t('icon')}
            data={ROUTE_ICONS.map((value) => ({ value, label: t(`icons.${value}`) }))}
            value={entry.icon ?? null}
            placeholder={t('iconShipped')}
            onChange={(value) => change({ icon: ROUTE_ICONS.find((name) => name === value) })}
            clearable
            clearButtonProps={{ 'aria-label': text('kit:common.clear') }}
            searchable
            renderOption={({ option }) => (
              <Group gap={8}>
                <look.Icon name={option.value} />
                {option.label}
              </Group>
            )}
          />
          <Switch
            label={t('isHidden')}
            description={page?.fixed ? t('fixed') : t('hiddenHelp')}
            checked={entry.hidden === true}
            disabled={page?.fixed === true}
            onChange={(event) => change({ hidden: event.currentTarget.checked })}
          />
          <Group gap={8} justify="space-between">
            {entry.kind === 'page' ? (
              <span />
            ) : (
              <Button
                variant="default"
                leftSection={<IconTrash size={16} aria-hidden />}
                onClick={() => {
                  onChange(remove(tree, row.key))
                  close()
                }}
              >
                {t(`remove.${entry.kind}`)}
              </Button>
            )}
            <Button onClick={close}>{t('done')}</Button>
          </Group>
        </Stack>
      )}
    </Drawer>
  )
}
