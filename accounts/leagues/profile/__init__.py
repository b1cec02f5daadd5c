"""What everybody may know of a player: how matches went, how strong, in which leagues, against whom."""
