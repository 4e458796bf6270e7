import { issueText, type Failure } from '../../api/failure.js';

/** Why the service refused a document, with the place of each problem. */
export function CallFailure({ failure }: { readonly failure: Failure | undefined }) {
  if (failure === undefined) return null;
  return (
    <div role="alert">
      <p className="problem">{failure.message}</p>
      <ul>
        {failure.issues.map((issue) => (
          <li className="problem" key={issue.path.join('.') + issue.message}>
            {issue.path.slice(1).join('.')}: {issueText(issue)}
          </li>
        ))}
      </ul>
    </div>
  );
}
