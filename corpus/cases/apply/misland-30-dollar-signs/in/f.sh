PAT=none
