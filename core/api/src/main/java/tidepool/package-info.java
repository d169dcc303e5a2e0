/**
 * Serializable transactions on records that live in a pool of memory nodes: {@link tidepool.Tidepool} opens a pool,
 * {@link tidepool.Table} names records of one type, {@link tidepool.Transaction} groups accesses to them. Below
 * records, a {@link tidepool.Worker} runs transactions on fields and allocates nothing. The guide is
 * {@code docs/guide/start.md}.
 */
package tidepool;
