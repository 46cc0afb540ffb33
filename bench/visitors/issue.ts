// The address of a prepared issue that holds a visitor's report. Servers refuse long addresses, so a report that would make it too
// long is left out, and the text asks for it.
import { machineName, type VisitorReport, visitorText } from './report';

/** Characters. GitHub takes about 8,000. */
export const MOST_ISSUE_LENGTH = 7500;

export interface IssueLink {
  url: string;
  /** Whether the report is in it; if not, it has to be pasted. */
  isWhole: boolean;
}

/** `bugs` is the address of the issues, as in package.json. */
export function issueLink(bugs: string, report: VisitorReport): IssueLink {
  const title = `Results of a visitor: ${machineName(report)}, ${report.size.toLocaleString('en')} bodies`;
  const link = (json: string) => {
    const body = `What the page 'Measure this machine' found, talus ${report.talus.version}:\n\n\`\`\`json\n${json}\n\`\`\`\n`;
    return `${bugs.replace(/\/+$/, '')}/new?${new URLSearchParams({ title, body })}`;
  };
  const whole = link(visitorText(report).trim());
  if (whole.length <= MOST_ISSUE_LENGTH) return { url: whole, isWhole: true };
  return { url: link('Press "Copy JSON" on the page and paste it here in place of this line.'), isWhole: false };
}
