/** The text of a changeset as it is. A text of one paragraph is an item of the list. */
const getReleaseLine = ({ summary }) => (summary.includes('\n') ? `${summary.trim()}\n` : `- ${summary}`)

/** All packages have one version, so a list of dependencies that were updated states nothing. */
const getDependencyReleaseLine = () => ''

export default { getReleaseLine, getDependencyReleaseLine }
