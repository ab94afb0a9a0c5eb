/** A zone that no name server has (RFC 6761): whoever is asked for it and says so answers. */
export const UNSERVED = 'hostkeep.invalid';
