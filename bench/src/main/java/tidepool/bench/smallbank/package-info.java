/**
 * SmallBank for stores that are not ours. What a store has to offer is {@link tidepool.bench.smallbank.Bank} and
 * {@link tidepool.bench.smallbank.Teller}; {@link tidepool.bench.smallbank.BankContender} lets it race.
 */
package tidepool.bench.smallbank;
