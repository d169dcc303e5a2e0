/**
 * SmallBank as a race: the same requests for every contender, each in a JVM of its own, in turns. What a contender has to
 * offer is {@link tidepool.bench.smallbank.Bank} and {@link tidepool.bench.smallbank.Teller}; who there is, with settings
 * that do not change, is {@link tidepool.bench.smallbank.Contender}.
 */
package tidepool.bench.smallbank;
