import { BackendUnavailable } from '../outcome.ts';

/**
 * A registry is there and does not answer this question: for whoever asked that is no answer, and says nothing of what
 * others ask. Names and codes are chosen by customers, who must not be able to have a registry left alone by them.
 */
export class RefusedQuestion extends BackendUnavailable {}
