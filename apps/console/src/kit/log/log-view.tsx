import { Button, NativeSelect, TextInput } from '@mantine/core'
import { IconArrowBarToDown, IconSearch } from '@tabler/icons-react'
import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useMemo, useRef, useState, type ReactNode } from 'react'
import { useFormats } from '../../lib/formats.ts'
import { useKitText } from '../../lib/i18n/texts.ts'
import { filterLines, LEVELS, type LogRow } from './filter.ts'
import classes from './log-view.module.css'

const LINE_HEIGHT = 22

/** Lines of a log: searched, filtered by level, following what is new until one scrolls up. */
export function LogView(props: { lines: readonly LogRow[]; height?: number; tools?: ReactNode }) {
  const t = useKitText()
  const formats = useFormats()
  const [query, setQuery] = useState('')
  const [level, setLevel] = useState('debug')
  const [following, setFollowing] = useState(true)
  const box = useRef<HTMLDivElement>(null)
  const lines = useMemo(() => filterLines(props.lines, query, level), [props.lines, query, level])
  // Its answers change without new props; nothing here is memoised by them.
  // oxlint-disable-next-line react/incompatible-library
  const virtual = useVirtualizer({
    count: lines.length,
    getScrollElement: () => box.current,
    estimateSize: () => LINE_HEIGHT,
    overscan: 20,
  })
  useEffect(() => {
    if (following && lines.length > 0) virtual.scrollToIndex(lines.length - 1, { align: 'end' })
  }, [following, lines.length, virtual])
  const onScroll = () => {
    const { current } = box
    if (!current) return
    setFollowing(current.scrollHeight - current.scrollTop - current.clientHeight < LINE_HEIGHT * 2)
  }
  return (
    <div className={classes.view}>
      <div className={classes.tools}>
        <TextInput
          className={classes.search}
          size="xs"
          type="search"
          value={query}
          onChange={(event) => setQuery(event.currentTarget.value)}
          placeholder={t('log.search')}
          aria-label={t('log.search')}
          leftSection={<IconSearch size={14} aria-hidden />}
        />
        <NativeSelect
          size="xs"
          aria-label={t('log.level')}
          value={level}
          onChange={(event) => setLevel(event.currentTarget.value)}
          data={LEVELS.map((value) => ({ value, label: t(`log.levels.${value}`) }))}
        />
        {props.tools}
        {!following && (
          <Button
            size="compact-sm"
            variant="default"
            leftSection={<IconArrowBarToDown size={14} aria-hidden />}
            onClick={() => setFollowing(true)}
          >
            {t('log.follow')}
          </Button>
        )}
      </div>
      <div
        ref={box}
        className={classes.lines}
        style={{ height: props.height ?? 420 }}
        onScroll={onScroll}
        role="log"
        // What scrolls must be reachable by keyboard.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
        dir="ltr"
      >
        {lines.length === 0 ? (
          <p className={classes.none}>{t('log.none')}</p>
        ) : (
          <div style={{ height: virtual.getTotalSize(), position: 'relative' }}>
            {virtual.getVirtualItems().map((item) => {
              const line = lines[item.index]
              if (!line) return null
              return (
                <div
                  key={item.key}
                  ref={virtual.measureElement}
                  data-index={item.index}
                  className={classes.line}
                  data-level={line.level}
                  style={{ transform: `translateY(${item.start}px)` }}
                >
                  <time dateTime={line.at} title={formats.exact(line.at)}>
                    {line.at.slice(11, 23)}
                  </time>
                  <span className={classes.level}>{line.level}</span>
                  <span className={classes.words}>{line.text}</span>
                </div>
              )
            })}
          </div>
        )}
      </div>
    </div>
  )
}
