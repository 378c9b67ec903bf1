import { QuestionDrawer } from '../../../../features/questions/drawer.tsx'

/** One question, beside the list. */
export default function QuestionPage() {
  return <QuestionDrawer />
}
